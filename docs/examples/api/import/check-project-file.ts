import { checkProjectFile } from '@halyard/import'

console.log(checkProjectFile({ version: 1, project: 'web' }).project) // web
