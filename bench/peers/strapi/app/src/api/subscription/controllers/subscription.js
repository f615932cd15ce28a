const { factories } = require('@strapi/strapi')
const { findMine, readMine } = require('../../../mine.js')

const uid = 'api::subscription.subscription'

module.exports = factories.createCoreController(uid, ({ strapi }) => ({
  ...readMine(strapi, uid),

  async create(ctx) {
    const data = await this.sanitizeInput(ctx.request.body.data ?? {}, ctx)
    const area = await findMine(strapi, 'api::area.area', data.area, ctx, { fields: ['id'] })
    if (!area) return ctx.notFound()
    const created = await strapi.documents(uid).create({ data })
    ctx.status = 201
    return this.transformResponse(await this.sanitizeOutput(created, ctx))
  },

  async delete(ctx) {
    const documentId = ctx.params.id
    if (!(await findMine(strapi, uid, documentId, ctx, { fields: ['id'] }))) return ctx.notFound()
    await strapi.documents(uid).delete({ documentId })
    ctx.status = 204
  },
}))
