module.exports = require('@strapi/strapi').factories.createCoreService('api::area.area')
