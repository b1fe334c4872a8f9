/**
 * Colors of a chart. Every line has a contrast of at least 3:1 to the background, and every text one of at least 4.5:1.
 */
export interface Palette {
  readonly background: string
  readonly text: string
  readonly gridLine: string
  readonly lines: readonly string[]
}

export type Theme = 'light' | 'dark'

export const palettes: Readonly<Record<Theme, Palette>> = {
  light: {
    background: '#ffffff',
    text: '#3d4650',
    gridLine: '#d9dee4',
    lines: ['#0b62a8', '#b3470b', '#1b7a3d', '#8a2f9b', '#8f6400', '#0d7a7a', '#b3264f', '#4d4dc8'],
  },
  dark: {
    background: '#1a1f26',
    text: '#c3cbd4',
    gridLine: '#39424d',
    lines: ['#6db6ff', '#ff9f5a', '#66d28a', '#dc93f0', '#e5c04a', '#4fd0d0', '#ff86a5', '#a6a6ff'],
  },
}

/** Shapes of the markers, so that lines can be distinguished without colors. */
export const shapes = ['circle', 'rect', 'triangle', 'diamond'] as const
