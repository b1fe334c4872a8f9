import { useEffect, useState } from 'preact/hooks'
import { theme } from '../theme.ts'
import { useQuery } from '../use-query.ts'
import { QueryView } from './query-view.tsx'

const darkSystem = matchMedia('(prefers-color-scheme: dark)')

/** Maximum width of a drawing, pixels. */
const maxWidth = 960

/** Colors and width for which a drawing is made. */
interface DrawSize {
  readonly theme: 'light' | 'dark'
  /** Pixels. */
  readonly width: number
}

/**
 * Shows an SVG document, which has a title, in the theme and the width of the page.
 *
 * @param label identifies the drawing on its page.
 */
export function SvgView({ label, draw }: { label: string; draw: (size: DrawSize) => Promise<string> }) {
  const [width, setWidth] = useState<number | undefined>(undefined)
  const [holder, setHolder] = useState<HTMLElement | null>(null)
  useEffect(() => {
    if (!holder) return undefined
    // A drawing has the width of its holder, so that its texts keep their size on a narrow screen.
    const observer = new ResizeObserver(() => setWidth(Math.min(Math.round(holder.clientWidth), maxWidth)))
    observer.observe(holder)
    return () => observer.disconnect()
  }, [holder])
  const [isSystemDark, setSystemDark] = useState(darkSystem.matches)
  useEffect(() => {
    const update = () => setSystemDark(darkSystem.matches)
    darkSystem.addEventListener('change', update)
    return () => darkSystem.removeEventListener('change', update)
  }, [])
  const isDark = theme.value === 'auto' ? isSystemDark : theme.value === 'dark'
  return (
    <div ref={setHolder}>
      {width !== undefined && width > 0 && (
        <SizedDrawing label={label} draw={draw} size={{ width, theme: isDark ? 'dark' : 'light' }} />
      )}
    </div>
  )
}

function SizedDrawing({
  label,
  draw,
  size,
}: {
  label: string
  draw: (size: DrawSize) => Promise<string>
  size: DrawSize
}) {
  const drawing = useQuery(`${label} ${JSON.stringify(size)}`, () => draw(size))
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
 * Parses an SVG document as XML, so that names which it contains as text never become elements. The policy of the page
 * allows no styles in markup, so they are applied by script.
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
