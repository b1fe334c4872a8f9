import { createEnvironment } from './create-environment.ts'
import { deleteEnvironment } from './delete-environment.ts'
import { getEnvironment } from './get-environment.ts'
import { listEnvironments } from './list-environments.ts'
import { patchEnvironment } from './patch-environment.ts'
import { resetMobileKey } from './reset-mobile-key.ts'
import { resetSdkKey } from './reset-sdk-key.ts'

export const environmentOperations = [
  listEnvironments,
  createEnvironment,
  getEnvironment,
  patchEnvironment,
  deleteEnvironment,
  resetSdkKey,
  resetMobileKey,
] as const
