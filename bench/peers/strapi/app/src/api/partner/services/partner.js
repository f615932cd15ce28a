module.exports = require('@strapi/strapi').factories.createCoreService('api::partner.partner')
