import { PageTitle } from '../../components/page-title.tsx'
import { texts } from '../../texts.ts'
import { PipelineBoard } from './pipeline-board.tsx'
import { PolicyTable } from './policy-table.tsx'

/** The release pipelines of a project with the releases that they run, and its release policies. */
export function ReleasesPage({ params: { project = '' } }: { params: Readonly<Record<string, string>> }) {
  return (
    <>
      <PageTitle title={texts.releases.title} />
      <PipelineBoard project={project} />
      <PolicyTable project={project} />
    </>
  )
}
