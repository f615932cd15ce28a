import { directusOnPostgres, directusOnSqlite } from './directus/peer.ts'
import { fastify } from './fastify/peer.ts'
import type { Peer } from './peer.ts'
import { pocketbase } from './pocketbase/peer.ts'
import { strapi } from './strapi/peer.ts'

export const peers: Peer[] = [fastify, pocketbase, directusOnSqlite, directusOnPostgres, strapi]
