// Lets the installer view open without a network: what the console loaded last is kept, and data is never kept here.
const cacheName = 'atrium-console'
const page = '/console/install'

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(cacheName).then((cache) => cache.add(page)))
  self.skipWaiting()
})

self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

// The page says what it had loaded before this worker was there.
self.addEventListener('message', (event) => {
  const paths = event.data.filter((path) => path.startsWith('/console/') || path.startsWith('/assets/'))
  event.waitUntil(caches.open(cacheName).then((cache) => cache.addAll(paths)))
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== location.origin || url.pathname.startsWith('/cms/')) return
  if (request.mode === 'navigate') event.respondWith(fetch(request).catch(() => caches.match(page)))
  else event.respondWith(keptOrFetched(request, url))
})

async function keptOrFetched(request, url) {
  const kept = await caches.match(request)
  const isHashed = url.pathname.startsWith('/console/assets/')
  if (kept && isHashed) return kept
  const fetched = await fetch(request).catch(() => undefined)
  if (fetched?.ok) {
    const cache = await caches.open(cacheName)
    await cache.put(request, fetched.clone())
  }
  return fetched ?? kept ?? Response.error()
}
