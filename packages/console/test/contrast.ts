export interface ColorPair {
  readonly excerpt: string
  readonly text: string
  readonly background: string
}

/** Runs in the page. Returns every visible text with its color and the color of its background. */
export function colorPairs(): ColorPair[] {
  const backgroundOf = (element: Element | null): string => {
    if (!element) return 'rgb(255, 255, 255)'
    const { backgroundColor } = getComputedStyle(element)
    return backgroundColor === 'rgba(0, 0, 0, 0)' ? backgroundOf(element.parentElement) : backgroundColor
  }
  return [...document.body.querySelectorAll('*')].flatMap((element) => {
    const hasOwnText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim())
    if (!hasOwnText || !element.checkVisibility() || element.tagName === 'OPTION') return []
    const excerpt = (element.textContent ?? '').trim().slice(0, 40)
    return [{ excerpt, text: getComputedStyle(element).color, background: backgroundOf(element) }]
  })
}

/** Returns the contrast ratio of a text to its background, from 1 to 21 (WCAG 2.2). */
export function contrastOf(text: string, background: string): number {
  const [bright, dark] = [luminanceOf(text), luminanceOf(background)].sort((a, b) => b - a) as [number, number]
  return (bright + 0.05) / (dark + 0.05)
}

function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map((channel) => {
    const value = channel / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Returns red, green and blue from 0 to 255, from `rgb(…)` or `#rrggbb`. */
function channelsOf(color: string): number[] {
  if (color.startsWith('#')) return [1, 3, 5].map((index) => Number.parseInt(color.slice(index, index + 2), 16))
  return (color.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number)
}
