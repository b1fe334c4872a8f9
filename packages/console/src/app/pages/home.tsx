import { useEffect } from 'preact/hooks'
import { PageTitle } from '../components/page-title.tsx'
import { hrefOf, navigate } from '../navigation.tsx'
import { currentEnvironment } from '../place.ts'
import { texts } from '../texts.ts'

/** Leads to the flags of the environment that was visited last, or of the first project. */
export function HomePage() {
  const place = currentEnvironment.value
  useEffect(() => {
    if (place) navigate(hrefOf('flags', place), { replace: true })
  }, [place?.project, place?.environment])
  return (
    <>
      <PageTitle title={texts.brand} />
      <p class="quiet">{texts.projects.empty}</p>
    </>
  )
}
