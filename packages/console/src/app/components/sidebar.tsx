import { useEffect, useState } from 'preact/hooks'
import { isAboutEnvironment, type MenuGroup, menu, menuPageOf } from '../menu.ts'
import { currentPage, hrefOf, Link, visits } from '../navigation.tsx'
import { currentEnvironment } from '../place.ts'
import { texts } from '../texts.ts'

const groups = Object.keys(menu) as MenuGroup[]

/** The list of pages. On a narrow screen a button opens it. */
export function Sidebar() {
  const [isOpen, setOpen] = useState(false)
  const { value: visit } = visits
  useEffect(() => setOpen(false), [visit])
  return (
    <nav class="menu" aria-label={texts.navigation.label}>
      <button type="button" class="menu-button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {texts.navigation.label}
      </button>
      {groups.map((group) => (
        <PageGroup key={group} group={group} />
      ))}
    </nav>
  )
}

function PageGroup({ group }: { group: MenuGroup }) {
  const place = currentEnvironment.value
  const current = currentPage.value && menuPageOf(currentPage.value.page)
  const pages = menu[group].filter((page) => place !== undefined || !isAboutEnvironment(page))
  if (pages.length === 0) return null
  return (
    <>
      <p class="menu-group">{texts.navigation.groups[group]}</p>
      <ul>
        {pages.map((page) => (
          <li key={page}>
            <Link href={hrefOf(page, place)} current={current === page}>
              {texts.navigation[page]}
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}
