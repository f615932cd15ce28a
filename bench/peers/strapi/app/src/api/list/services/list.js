module.exports = require('@strapi/strapi').factories.createCoreService('api::list.list')
