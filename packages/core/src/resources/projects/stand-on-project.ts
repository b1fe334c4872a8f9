import { type Project, projects } from '../../models/projects/project.ts'
import type { WriteContext } from '../../operation/context.ts'
import type { Fail } from '../../operation/errors.ts'

/** The project that something is fed to: 404 where it is not there, and the unit fails where it goes meanwhile. */
export async function standOnProject(
  { tx, fail }: Pick<WriteContext, 'tx'> & { readonly fail: Fail<'not_found'> },
  { projectKey }: { readonly projectKey: string },
): Promise<Project> {
  const project = (await tx.get(projects, { projectKey })) ?? fail('not_found')
  tx.expect(projects, { projectKey }, project)
  return project
}
