// The search in the guides: headings and text, in the browser, nothing fetched before it is used.
const find = document.querySelector('.find')
const input = find.querySelector('input')
const found = find.querySelector('ol')
const status = find.querySelector('[role=status]')
const shownAtMost = 8

let index
function sections() {
  index ??= fetch('/assets/guides.json')
    .then((answer) => answer.json())
    .then((all) => all.map((one) => ({ ...one, words: wordsOf(one) })))
  index.catch(() => {
    index = undefined
  })
  return index
}

function wordsOf({ page, heading, text }) {
  return { page: bare(page), heading: bare(heading), text: bare(text) }
}

/** Case and accents do not count; every letter keeps its place, so that what was found can be shown in the text itself. */
function bare(text) {
  return text.replace(/[^\0-~]/g, (letter) => letter.normalize('NFD')[0]).toLowerCase()
}

/** Where a word of the text begins so; -1 where none does. */
function place(text, word) {
  let at = text.indexOf(word)
  while (at > 0 && /[\p{L}\p{N}]/u.test(text[at - 1])) at = text.indexOf(word, at + 1)
  return at
}

/** All words must be there. What is in a heading counts more than what is in the text. */
function score({ words }, asked) {
  const counted = (text, weight) => (word) => (place(text, word) < 0 ? 0 : weight)
  const [heading, page, text] = [counted(words.heading, 8), counted(words.page, 4), counted(words.text, 1)]
  const each = asked.map((word) => heading(word) + page(word) + text(word))
  return each.includes(0) ? 0 : each.reduce((sum, one) => sum + one, 0)
}

async function search(text) {
  const asked = bare(text)
    .split(/\s+/)
    .filter((word) => word !== '')
  if (asked.length === 0) return []
  return (await sections())
    .map((section) => ({ section, asked, score: score(section, asked) }))
    .filter((one) => one.score > 0)
    .sort((a, b) => b.score - a.score)
}

function row({ section: { page, heading, path, text, words }, asked }) {
  const link = Object.assign(document.createElement('a'), { href: path })
  const title = document.createElement('strong')
  title.textContent = heading === page ? page : `${page}: ${heading}`
  const excerpt = document.createElement('span')
  const [word = '', at = 0] = asked.map((one) => [one, place(words.text, one)]).find(([, place]) => place >= 0) ?? []
  const from = Math.max(0, text.lastIndexOf(' ', Math.max(0, at - 40)))
  const mark = document.createElement('mark')
  mark.textContent = text.slice(at, at + word.length)
  const rest = text.slice(at + mark.textContent.length, at + 110)
  excerpt.append(from > 0 ? '… ' : '', text.slice(from, at), mark, rest, text.length > at + 110 ? ' …' : '')
  link.append(title, excerpt)
  const item = document.createElement('li')
  item.append(link)
  return item
}

let latest = 0
/** The links that are shown for what is in the field now; nothing when something else was typed meanwhile. */
async function show() {
  latest += 1
  const mine = latest
  const results = await search(input.value).catch(() => undefined)
  if (mine !== latest) return
  const words = results === undefined ? 'The search cannot be reached. Try again.' : said(results.length)
  status.textContent = input.value.trim() === '' ? '' : words
  found.replaceChildren(...(results ?? []).slice(0, shownAtMost).map(row))
  return [...found.querySelectorAll('a')]
}

function said(count) {
  if (count === 0) return 'Nothing found.'
  return count > shownAtMost ? `The best ${shownAtMost} of ${count}.` : `${count} found.`
}

function move(event, step) {
  const stops = [input, ...found.querySelectorAll('a')]
  const next = stops[stops.indexOf(document.activeElement) + step]
  if (next === undefined) return
  event.preventDefault()
  next.focus()
}

find.addEventListener('keydown', async (event) => {
  if (event.key === 'ArrowDown') move(event, 1)
  else if (event.key === 'ArrowUp') move(event, -1)
  else if (event.key === 'Escape') {
    input.value = ''
    input.focus()
    await show()
  } else if (event.key === 'Enter' && event.target === input) {
    const [first] = (await show()) ?? []
    first?.click()
  }
})

document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target === input || event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  input.focus()
})

input.addEventListener('input', show)
// A place in this very page is shown without leaving it.
found.addEventListener('click', () => {
  input.value = ''
  setTimeout(show)
})
find.hidden = false
