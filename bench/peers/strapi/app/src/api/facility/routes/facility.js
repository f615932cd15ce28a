module.exports = require('@strapi/strapi').factories.createCoreRouter('api::facility.facility')
