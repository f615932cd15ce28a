module.exports = require('@strapi/strapi').factories.createCoreRouter('api::area.area')
