import { convertCssVariables, DEFAULT_THEME, defaultCssVariablesResolver, mergeMantineTheme } from '@mantine/core'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { theme } from './src/app/theme.ts'

export default defineConfig({
  base: '/console/',
  plugins: [react(), themeVariables()],
  build: { target: 'es2023', assetsInlineLimit: 0, modulePreload: { polyfill: false }, chunkSizeWarningLimit: 900 },
})

/** Mantine would write its variables into the page; a style sheet made at build time needs no inline style. */
function themeVariables(): Plugin {
  const id = 'virtual:theme.css'
  return {
    name: 'theme-variables',
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    load: (source) => {
      if (source !== `\0${id}`) return undefined
      const whole = mergeMantineTheme(DEFAULT_THEME, theme)
      return convertCssVariables(defaultCssVariablesResolver(whole), ':root')
    },
  }
}
