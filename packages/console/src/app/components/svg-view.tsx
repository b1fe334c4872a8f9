import { useEffect, useState } from 'preact/hooks'
import { theme } from '../theme.ts'
import { useQuery } from '../use-query.ts'
import { QueryView } from './query-view.tsx'

const darkSystem = matchMedia('(prefers-color-scheme: dark)')

/**
 * Shows an SVG document, which has a title, in the theme of the page.
 *
 * @param label identifies the drawing on its page.
 */
export function SvgView({ label, draw }: { label: string; draw: (theme: 'light' | 'dark') => Promise<string> }) {
  const [isSystemDark, setSystemDark] = useState(darkSystem.matches)
  useEffect(() => {
    const update = () => setSystemDark(darkSystem.matches)
    darkSystem.addEventListener('change', update)
    return () => darkSystem.removeEventListener('change', update)
  }, [])
  const isDark = theme.value === 'auto' ? isSystemDark : theme.value === 'dark'
  const drawing = useQuery(`${label} ${isDark}`, () => draw(isDark ? 'dark' : 'light'))
  return <QueryView query={drawing}>{(svg) => <Drawing svg={svg} />}</QueryView>
}

function Drawing({ svg }: { svg: string }) {
  const [holder, setHolder] = useState<HTMLElement | null>(null)
  useEffect(() => {
    holder?.replaceChildren(document.importNode(elementOf(svg), true))
  }, [holder, svg])
  return <div ref={setHolder} class="drawing" />
}

/**
 * Parses an SVG document as XML, so that names which it contains as text never become elements. The policy of the page allows
 * no styles in markup, so they are applied by script.
 */
function elementOf(svg: string): Element {
  const inTags = svg.replace(/<[^>]*>/g, (tag) => tag.replace(' style="', ' data-style="'))
  const root = new DOMParser().parseFromString(
    inTags.replace(/<style[\s\S]*?<\/style>/g, ''),
    'image/svg+xml',
  ).documentElement
  for (const element of root.querySelectorAll<SVGElement>('[data-style]')) {
    element.style.cssText = element.dataset.style ?? ''
    element.removeAttribute('data-style')
  }
  return root
}
