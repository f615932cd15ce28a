const { factories } = require('@strapi/strapi')
const { findMine, readMine } = require('../../../mine.js')

const uid = 'api::facility.facility'
const writable = ['name', 'ssid_public', 'subscription_url']

module.exports = factories.createCoreController(uid, ({ strapi }) => ({
  ...readMine(strapi, uid),

  async update(ctx) {
    const documentId = ctx.params.id
    if (!(await findMine(strapi, uid, documentId, ctx, { fields: ['id'] }))) return ctx.notFound()
    const sent = await this.sanitizeInput(ctx.request.body.data ?? {}, ctx)
    if (Object.keys(sent).some((field) => !writable.includes(field))) return ctx.forbidden()
    const updated = await strapi.documents(uid).update({ documentId, data: sent })
    return this.transformResponse(await this.sanitizeOutput(updated, ctx))
  },
}))
