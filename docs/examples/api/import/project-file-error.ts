import { ProjectFileError, parseProjectFile } from '@halyard/import'

try {
  parseProjectFile('version: 1\nproject: web\nflags: { checkout: { name: 7 } }\n')
} catch (error) {
  if (!(error instanceof ProjectFileError)) throw error
  console.log(error.message.startsWith('flags.checkout')) // true
}
