import { Line } from '../../torture/line.ts'

/** Renames the facility and uses other rooms without a pause, until it is stopped. */
export function writers(url: string, token: string, firstRoom: number): { stop(): Promise<void> } {
  const lines = [0, 1].map(() => new Line(url, { Authorization: `Bearer ${token}` }))
  let isStopped = false
  const writing = lines.map(async (line, n) => {
    const area = `/v1/areas/f-${firstRoom + n}/`
    for (let round = 0; !isStopped; round++) {
      const body = { value: `Name ${round}` }
      await line.ask({ method: 'PATCH', path: '/v1/facilities/f/name', body })
      const value = JSON.stringify([{ code: 'wifi', label: `Guest ${round}` }])
      await line.ask({ method: 'POST', path: `${area}data_services`, body: { value } })
      await line.ask({ method: round % 2 === 0 ? 'POST' : 'DELETE', path: area })
      // Limits the rate, so that the guests' requests are not starved.
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  })
  return {
    stop: async () => {
      isStopped = true
      await Promise.all(writing)
      for (const line of lines) line.cut()
    },
  }
}
