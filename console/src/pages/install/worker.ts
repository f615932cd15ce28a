/** Starts the service worker that serves this view offline, and sends it the URLs loaded before it was active. */
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
    // Without the service worker, the view works offline as long as it stays open.
    .catch(() => {})
}
