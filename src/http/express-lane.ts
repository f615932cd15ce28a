import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { connectionEvent } from './connection-event.ts'
import { thisMoment } from './moment.ts'
import { Outbox } from './outbox.ts'
import { keepAliveMs, lastHead, type ReadyMade } from './ready-made.ts'
import type { Stopping } from './stopping.ts'

/** What there is for plain requests. */
export interface Express<Request> {
  /** One whole plain request; nothing when these bytes are anything else. */
  read(bytes: Buffer): Request | undefined
  /** Nothing to wait for, or a promise; then `atHand` can be asked. */
  ready(request: Request): Promise<void> | undefined
  /** An answer that only has to be written. */
  atHand(request: Request, socket: Socket): ReadyMade | undefined
  /** How to come by the answer; nothing when this is not the place for it. It never fails. */
  find(request: Request, socket: Socket): (() => Promise<ReadyMade>) | undefined
}

/** Tells a server that it has so many connections more than it should. */
export const surplusEvent = 'surplus'

const sweepMs = 1000
/** For a reader that has not taken its last answer yet. */
const leavingMs = 9000

const outbox = new Outbox()

/**
 * Answers plain requests on the connection itself, before Node's HTTP server has seen a byte of them: all that it does for
 * a request takes longer than to find an answer that is at hand. A connection on which anything else comes is handed to that server,
 * with the bytes, for good; so nothing here has to know what to do about them.
 */
export function openExpressLane<R>(server: Server, express: Express<R>, stopping: Stopping): void {
  // The first is Node's own: the one that reads HTTP.
  const event = connectionEvent(server)
  const [take] = server.listeners(event) as [(socket: Socket) => void]
  server.off(event, take)
  const passengers = new Set<Passenger<R>>()
  server.on(event, (socket: Socket) => {
    const handOver = (bytes?: Buffer) => {
      passengers.delete(passenger)
      if (bytes !== undefined) socket.unshift(bytes)
      take.call(server, socket)
      if (bytes !== undefined) socket.resume()
    }
    const passenger = new Passenger(socket, express, stopping, handOver)
    passengers.add(passenger)
    socket.once('close', () => passengers.delete(passenger))
  })
  const timer = setInterval(() => sweep(passengers), sweepMs).unref()
  // Among several processes one can have more connections than its share.
  server.on(surplusEvent, (count: number) => {
    for (const passenger of [...passengers].slice(0, count)) passenger.isSurplus = true
  })
  stopping.onLeave(() => {
    clearInterval(timer)
    for (const passenger of passengers) passenger.leave()
  })
}

function sweep<R>(passengers: Set<Passenger<R>>): void {
  const nowMs = performance.now()
  for (const passenger of passengers) {
    if (passenger.isBusy) passenger.lastMs = nowMs
    const idleMs = nowMs - passenger.lastMs
    if (!passenger.isKnown && idleMs > sweepMs) passenger.handOver()
    else if (idleMs > keepAliveMs) passenger.leave()
  }
}

/** A connection that has sent nothing but plain requests so far. */
class Passenger<Request> {
  readonly #socket: Socket
  readonly #express: Express<Request>
  readonly #stopping: Stopping
  readonly #handedOver: (bytes?: Buffer) => void
  #waiting = 0
  #isLeaving = false
  #isHandedOver = false
  /** It has asked at least once. Others are the HTTP server's to time out. */
  isKnown = false
  /** It is to leave with its next answer. */
  isSurplus = false
  lastMs = thisMoment().runningMs

  constructor(socket: Socket, express: Express<Request>, stopping: Stopping, handedOver: (bytes?: Buffer) => void) {
    this.#socket = socket
    this.#express = express
    this.#stopping = stopping
    this.#handedOver = handedOver
    socket.on('data', this.#arrived)
    socket.on('end', this.#ended)
    socket.on('error', this.#broke)
    socket.on('drain', this.#drained)
  }

  handOver(bytes?: Buffer): void {
    this.#isHandedOver = true
    this.#socket
      .off('data', this.#arrived)
      .off('end', this.#ended)
      .off('error', this.#broke)
      .off('drain', this.#drained)
    this.#handedOver(bytes)
  }

  /** An answer is being made, or has not been taken whole. */
  get isBusy(): boolean {
    return this.#waiting > 0 || this.#socket.writableLength > 0
  }

  /** After the answer that is under way. */
  leave(): void {
    this.#isLeaving = true
    if (this.#waiting === 0) this.#socket.destroySoon()
    setTimeout(() => this.#socket.destroy(), leavingMs).unref()
  }

  readonly #arrived = (bytes: Buffer) => {
    const request = this.#isLeaving ? undefined : this.#express.read(bytes)
    if (request === undefined) return this.handOver(bytes)
    this.lastMs = thisMoment().runningMs
    this.isKnown = true
    const waiting = this.#express.ready(request)
    if (waiting === undefined) return this.#answer(request, bytes)
    const go = () => this.#answer(request, bytes)
    this.#whileWaiting(waiting.then(go, go))
  }

  #answer(request: Request, bytes: Buffer): void {
    if (this.#stopping.begun) return this.handOver(bytes)
    const atHand = this.#express.atHand(request, this.#socket)
    if (atHand !== undefined) return this.#write(atHand)
    const find = this.#express.find(request, this.#socket)
    if (find === undefined) return this.handOver(bytes)
    this.#whileWaiting(find().then((answer) => this.#write(answer)))
  }

  /** Whatever is sent meanwhile stays where it is. */
  #whileWaiting(work: Promise<void>): void {
    this.#waiting++
    this.#socket.pause()
    const done = () => {
      this.#waiting--
      if (this.#waiting > 0 || this.#isHandedOver) return
      if (this.#isLeaving) this.#socket.destroySoon()
      else if (!this.#socket.writableNeedDrain) this.#socket.resume()
    }
    work.then(done, () => this.#socket.destroy())
  }

  #write({ head: kept, body, isOwn }: ReadyMade): void {
    const socket = this.#socket
    const isLast = this.#isLeaving || this.isSurplus
    outbox.send(socket, isLast ? lastHead(kept) : kept, body, isOwn)
    if (isLast) return this.leave()
    // A reader that is slower than its own requests is not read from until it has caught up.
    if (socket.writableNeedDrain) socket.pause()
  }

  readonly #drained = () => {
    if (this.#waiting === 0) this.#socket.resume()
  }

  readonly #ended = () => void this.#socket.end()
  readonly #broke = () => void this.#socket.destroy()
}
