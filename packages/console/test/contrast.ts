export interface ColourPair {
  readonly words: string
  readonly text: string
  readonly ground: string
}

/** Runs in the page. Returns every visible text with its color and the color of its background. */
export function colourPairs(): ColourPair[] {
  const groundOf = (element: Element | null): string => {
    if (!element) return 'rgb(255, 255, 255)'
    const { backgroundColor } = getComputedStyle(element)
    return backgroundColor === 'rgba(0, 0, 0, 0)' ? groundOf(element.parentElement) : backgroundColor
  }
  return [...document.body.querySelectorAll('*')].flatMap((element) => {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim())
    if (!own || !element.checkVisibility() || element.tagName === 'OPTION') return []
    const words = (element.textContent ?? '').trim().slice(0, 40)
    return [{ words, text: getComputedStyle(element).color, ground: groundOf(element) }]
  })
}

/** Returns the contrast ratio of a text to its background, from 1 to 21 (WCAG 2.2). */
export function contrastOf(text: string, ground: string): number {
  const [bright, dark] = [luminanceOf(text), luminanceOf(ground)].sort((a, b) => b - a) as [number, number]
  return (bright + 0.05) / (dark + 0.05)
}

function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(colour).map((channel) => {
    const share = channel / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Returns red, green and blue from 0 to 255, from `rgb(…)` or `#rrggbb`. */
function channelsOf(colour: string): number[] {
  if (colour.startsWith('#')) return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
  return (colour.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number)
}
