import { writeFileSync } from 'node:fs'
import path from 'node:path'

/** The oldest compatibility date with the APIs that core needs, long before workers had a `process`. */
const oldestDate = '2024-01-01'

/**
 * Writes a workerd configuration next to a module, which workerd then serves at a free port.
 *
 * @param bindings texts by the names under which the module finds them in its environment.
 * @param compatibilityDate date whose behavior the module expects. Default: the oldest one that core supports.
 * @returns the path of the configuration.
 */
export function writeWorkerdConfig(
  module: string,
  bindings: Readonly<Record<string, string>> = {},
  compatibilityDate = oldestDate,
): string {
  const name = path.basename(module)
  const texts = Object.entries(bindings).map(([key, text]) => `(name = "${key}", text = ${JSON.stringify(text)})`)
  const worker = [
    `modules = [(name = "${name}", esModule = embed "${name}")]`,
    `compatibilityDate = "${compatibilityDate}"`,
    `bindings = [${texts.join(', ')}]`,
  ].join(', ')
  const file = `${module}.capnp`
  const config = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (${worker}))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
`
  writeFileSync(file, config)
  return file
}
