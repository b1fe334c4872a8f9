import { writeFile } from 'node:fs/promises'
import { manifestFile, manifestText } from './manifest-file.ts'

await writeFile(manifestFile, await manifestText())
