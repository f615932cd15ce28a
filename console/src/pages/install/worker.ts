/** Starts the worker that opens this view without a network, and tells it what was loaded before it was there. */
export function startWorker(): void {
  if (!('serviceWorker' in navigator)) return
  navigator.serviceWorker
    .register('/console/install-worker.js')
    .then(() => navigator.serviceWorker.ready)
    .then((registration) => {
      const loaded = performance.getEntriesByType('resource').map(({ name }) => new URL(name))
      const ours = loaded.filter(({ origin }) => origin === location.origin).map(({ pathname }) => pathname)
      registration.active?.postMessage([...new Set(ours)].filter((path) => !path.startsWith('/cms/')))
    })
    // Without it the view works as long as it stays open.
    .catch(() => {})
}
