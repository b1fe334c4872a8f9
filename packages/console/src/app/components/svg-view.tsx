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
    // The document is parsed as XML, so that names which it contains as text never become elements.
    const root = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement
    holder?.replaceChildren(document.importNode(root, true))
  }, [holder, svg])
  return <div ref={setHolder} class="drawing" />
}
