import type { Db } from '../../../src/storage/database.ts'
import type { Random } from '../../torture/random.ts'
import { type Answer, type Asked, RoomClient } from '../../torture/room-client.ts'

/** What all workers share. */
export interface Scene {
  balancer: string
  nodes: string[]
  /** The database as the command line opens it. */
  operator: Db
  /** The token of a partner with all rights. */
  token: string
}

/** A worker with a facility and a partner of its own, so that no other worker changes what it reads. */
export interface Lane extends Scene {
  facility: string
  partner: string
  random: Random
  /** Sends through the load balancer, to any node. */
  change(method: string, path: string, asked?: Asked): Promise<Answer>
  /** Sends to one node, with its own token or another. */
  ask(node: string, path: string, token?: string): Promise<Answer>
  end(): void
}

export function laneAt(scene: Scene, number: number, random: Random): Lane {
  const clients = new Map<string, RoomClient>()
  const clientAt = (url: string) => {
    const known = clients.get(url) ?? new RoomClient(scene.token)
    clients.set(url, known)
    return known
  }
  const sure = async (answered: Promise<Answer | undefined>, what: string) => {
    const answer = await answered
    if (answer === undefined) throw new Error(`${what} got no response`)
    return answer
  }
  return {
    ...scene,
    facility: `f-${number}`,
    partner: `p-${number}`,
    random,
    change: async (method, path, asked) => {
      const answer = await sure(clientAt(scene.balancer).ask(scene.balancer, method, path, asked), path)
      if (answer.status !== 200) throw new Error(`${method} ${path} returned ${answer.status}`)
      return answer
    },
    ask: (node, path, token) => {
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
      return sure(clientAt(node).ask(node, 'GET', path, { headers }), path)
    },
    end: () => {
      for (const client of clients.values()) client.close()
    },
  }
}

/** Creates a facility with two rooms for each worker, and a partner whose grants change. */
export function estateFor(lanes: number) {
  const numbers = Array.from({ length: lanes }, (_, n) => n)
  return {
    facilities: numbers.map((n) => ({
      id_external: `f-${n}`,
      name: 'First',
      room_services: true,
      areas: [
        { id: '1', name: 'Room 1' },
        { id: '2', name: 'Room 2' },
      ],
    })),
    partners: [
      { id: 'all', name: 'All', grants: [{ facilities: '*', read: '*', write: '*', rooms: '*' }] },
      ...numbers.map((n) => ({ id: `p-${n}`, name: `Partner ${n}`, grants: [] })),
    ],
  }
}
