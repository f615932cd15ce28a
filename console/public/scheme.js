// Runs before the first paint, so that a dark page is never white for a moment.
{
  const chosen = localStorage.getItem('atrium-scheme')
  const dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.mantineColorScheme = dark ? 'dark' : 'light'
}
