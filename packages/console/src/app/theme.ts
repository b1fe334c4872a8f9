import { effect, signal } from '@preact/signals'

const storageKey = 'halyard-theme'

export const themes = ['auto', 'light', 'dark'] as const

export type Theme = (typeof themes)[number]

/** The color scheme of the page: the scheme of the system, or the one that the person chose. */
export const theme = signal<Theme>(themes.find((name) => name === localStorage.getItem(storageKey)) ?? 'auto')

effect(() => {
  document.documentElement.dataset.theme = theme.value
  localStorage.setItem(storageKey, theme.value)
})
