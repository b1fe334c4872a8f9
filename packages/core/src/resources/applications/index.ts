import { deleteApplication } from './delete-application.ts'
import { getApplication } from './get-application.ts'
import { listApplications } from './list-applications.ts'
import { patchApplication } from './patch-application.ts'

export const applicationOperations = [listApplications, getApplication, patchApplication, deleteApplication] as const
