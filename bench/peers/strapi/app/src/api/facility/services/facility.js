module.exports = require('@strapi/strapi').factories.createCoreService('api::facility.facility')
