import type { MantineThemeOverride } from '@mantine/core'

const attributes = { header: { role: 'presentation' } }

/** Mantine theme as plain data, for the provider in the browser and for the build, which writes its CSS variables. */
export const theme: MantineThemeOverride = {
  primaryColor: 'atrium',
  primaryShade: { light: 8, dark: 7 },
  colors: {
    atrium: [
      '#e9f6f2',
      '#d3ebe4',
      '#a6d6c9',
      '#76c0ad',
      '#4fd1b8',
      '#2fa98f',
      '#188c73',
      '#0b7766',
      '#0b6b5d',
      '#064f44',
    ],
    dark: [
      '#e6ebf2',
      '#c3ccd8',
      '#9aa7b8',
      '#748296',
      '#3a4655',
      '#2b3541',
      '#222b36',
      '#12171e',
      '#0e1319',
      '#0a0e13',
    ],
  },
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace',
  defaultRadius: 'sm',
  respectReducedMotion: true,
  components: {
    // Scroll locking would need inline styles, which the CSP forbids. A dialog header must not be an ARIA banner.
    Modal: { defaultProps: { attributes, lockScroll: false, centered: true, transitionProps: { duration: 120 } } },
    Drawer: { defaultProps: { attributes, lockScroll: false, transitionProps: { duration: 120 } } },
    Button: { defaultProps: { size: 'sm' } },
    TextInput: { defaultProps: { size: 'sm' } },
    // The smallest target that WCAG 2.2 allows.
    InputClearButton: { defaultProps: { size: 24 } },
    Select: { defaultProps: { size: 'sm', checkIconPosition: 'right', allowDeselect: false } },
    Badge: { defaultProps: { variant: 'light', radius: 'sm', tt: 'none', fw: 600 } },
    Tooltip: { defaultProps: { openDelay: 300, withArrow: true } },
  },
}
