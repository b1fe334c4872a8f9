export { deleteApplication } from './delete-application.ts'
export { getApplication } from './get-application.ts'
export { listApplications } from './list-applications.ts'
export { patchApplication } from './patch-application.ts'
