module.exports = require('@strapi/strapi').factories.createCoreRouter('api::list.list')
