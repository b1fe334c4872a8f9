import { createExtinctions } from './create-extinctions.ts'
import { createRepository } from './create-repository.ts'
import { deleteBranches } from './delete-branches.ts'
import { deleteRepository } from './delete-repository.ts'
import { getBranch } from './get-branch.ts'
import { getRepository } from './get-repository.ts'
import { getRootStatistics } from './get-root-statistics.ts'
import { getStatistics } from './get-statistics.ts'
import { listBranches } from './list-branches.ts'
import { listExtinctions } from './list-extinctions.ts'
import { listRepositories } from './list-repositories.ts'
import { patchRepository } from './patch-repository.ts'
import { putBranch } from './put-branch.ts'

export const codeReferenceOperations = [
  listRepositories,
  createRepository,
  getRepository,
  patchRepository,
  deleteRepository,
  listBranches,
  getBranch,
  putBranch,
  deleteBranches,
  createExtinctions,
  listExtinctions,
  getRootStatistics,
  getStatistics,
] as const
