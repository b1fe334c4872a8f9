import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'

/** Names of the files with the terms of a package, e.g. `LICENSE`, `LICENCE.md` or `NOTICE.txt`. */
const termsFile = /^(licen[cs]e|notice)(\.(md|txt))?$/i

/**
 * Returns the licenses and notices of a package, each after a line with the package and the name of the file.
 *
 * @param folder folder of the package.
 * @throws Error when the package contains no license, because its code must not be shipped without the license.
 */
export async function readLicenses(folder: string): Promise<string> {
  const names = (await readdir(folder)).filter((name) => termsFile.test(name)).sort()
  if (!names.some((name) => /^licen/i.test(name))) throw new Error(`${folder} contains no license`)
  const title = folder.slice(folder.lastIndexOf('node_modules') + 13)
  const texts = names.map(async (name) => `${title}, ${name}\n\n${await readFile(path.join(folder, name), 'utf8')}`)
  return (await Promise.all(texts)).join('\n\n')
}
