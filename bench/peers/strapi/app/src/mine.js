/** Row filter: restricts to the facilities of the token's partner. */
const mine = (ctx) => ({ partners: { token: ctx.state.auth.credentials.id } })

const filters = {
  'api::facility.facility': (ctx) => mine(ctx),
  'api::area.area': (ctx) => ({ facility: mine(ctx) }),
  'api::list.list': (ctx) => ({ facility: mine(ctx) }),
  'api::subscription.subscription': (ctx) => ({ area: { facility: mine(ctx) } }),
}

/** Returns the entry with this id if it belongs to the partner. */
const findMine = (strapi, uid, documentId, ctx, query = {}) =>
  strapi.documents(uid).findFirst({ ...query, filters: { documentId, ...filters[uid](ctx) } })

/** `find` and `findOne` of a collection, restricted to the partner's entries. */
const readMine = (strapi, uid) => ({
  async find(ctx) {
    await this.validateQuery(ctx)
    const query = await this.sanitizeQuery(ctx)
    const filtered = { ...query, filters: { $and: [query.filters ?? {}, filters[uid](ctx)] } }
    const { results, pagination } = await strapi.service(uid).find(filtered)
    return this.transformResponse(await this.sanitizeOutput(results, ctx), { pagination })
  },
  async findOne(ctx) {
    await this.validateQuery(ctx)
    const query = await this.sanitizeQuery(ctx)
    const found = await findMine(strapi, uid, ctx.params.id, ctx, query)
    if (!found) return ctx.notFound()
    return this.transformResponse(await this.sanitizeOutput(found, ctx))
  },
})

module.exports = { findMine, readMine }
