import type { PageName } from '../../console-paths.ts'
import { currentPage, hrefOf, Link } from '../navigation.tsx'
import { currentEnvironment } from '../place.ts'
import { basePath } from '../server-settings.ts'
import { texts } from '../texts.ts'

const environmentPages = ['flags', 'segments', 'contexts'] as const
const accountPages = ['approvals', 'changeLog', 'projects'] as const

/** A page belongs to the entry of the list that leads to it. */
const entryOf: Readonly<Partial<Record<PageName, PageName>>> = { flag: 'flags', segment: 'segments' }

/** The list of pages. */
export function Sidebar() {
  const place = currentEnvironment.value
  const page = currentPage.value?.page
  const current = page && (entryOf[page] ?? page)
  return (
    <nav class="menu" aria-label={texts.navigation.label}>
      <ul>
        {place &&
          environmentPages.map((name) => (
            <li key={name}>
              <Link href={hrefOf(name, place)} current={current === name}>
                {texts.navigation[name]}
              </Link>
            </li>
          ))}
        {accountPages.map((name) => (
          <li key={name}>
            <Link href={hrefOf(name)} current={current === name}>
              {texts.navigation[name]}
            </Link>
          </li>
        ))}
        <li>
          <a href={`${basePath}/insights`}>{texts.navigation.insights}</a>
        </li>
      </ul>
    </nav>
  )
}
