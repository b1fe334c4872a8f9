import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { textIn } from './packed-packages.ts'
import type { Manifest } from './workspace-packages.ts'

/** A registry on this machine with packed packages. */
export interface PackageRegistry {
  /** The line of `.npmrc` with which a package manager finds the packages of the scope `@halyard` here. */
  readonly npmrc: string
  close(): void
}

interface PublishedPackage {
  /** The document that describes the versions of a package. */
  readonly document: object
  readonly tarball: Buffer
}

/**
 * Serves packed packages as the registry of npm does, so that applications install them by name.
 *
 * @param tarballs path of each tarball by the name of its package.
 */
export async function serveRegistry(tarballs: ReadonlyMap<string, string>): Promise<PackageRegistry> {
  const published = new Map<string, PublishedPackage>()
  const server = createServer(({ url = '' }, response) => {
    const [, name = '', isTarball] = /^\/(@halyard\/[\w-]+)(\/tarball)?$/.exec(decodeURIComponent(url)) ?? []
    const packageVersion = published.get(name)
    if (!packageVersion) response.writeHead(404).end('{}')
    else if (isTarball) response.end(packageVersion.tarball)
    else response.setHeader('content-type', 'application/json').end(JSON.stringify(packageVersion.document))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  for (const [name, file] of tarballs) {
    const manifest: Manifest = JSON.parse(await textIn(file, 'package.json'))
    const tarball = readFileSync(file)
    const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`
    const version = { ...manifest, dist: { tarball: `${address}/${name}/tarball`, integrity } }
    const document = { name, 'dist-tags': { latest: manifest.version }, versions: { [manifest.version]: version } }
    published.set(name, { document, tarball })
  }
  return {
    npmrc: `@halyard:registry=${address}/\n`,
    close: () => void server.close().closeAllConnections(),
  }
}
