const { factories } = require('@strapi/strapi')
const { readMine } = require('../../../mine.js')

const uid = 'api::area.area'

module.exports = factories.createCoreController(uid, ({ strapi }) => readMine(strapi, uid))
