const { factories } = require('@strapi/strapi')
const { readMine } = require('../../../mine.js')

const uid = 'api::list.list'

module.exports = factories.createCoreController(uid, ({ strapi }) => readMine(strapi, uid))
