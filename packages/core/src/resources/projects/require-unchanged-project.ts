import { type Project, projects } from '../../models/projects/project.ts'
import type { WriteContext } from '../../operation/context.ts'
import type { Fail } from '../../operation/errors.ts'

/**
 * Returns the project to which data is written. Fails with 404 when it does not exist; the commit fails when another
 * call changes or deletes it concurrently.
 */
export async function requireUnchangedProject(
  { tx, fail }: Pick<WriteContext, 'tx'> & { readonly fail: Fail<'not_found'> },
  { projectKey }: { readonly projectKey: string },
): Promise<Project> {
  const project = (await tx.get(projects, { projectKey })) ?? fail('not_found')
  tx.expect(projects, { projectKey }, project)
  return project
}
