import * as combobox from '@zag-js/combobox'
import { normalizeProps, useMachine } from '@zag-js/preact'
import { useEffect, useId, useMemo, useState } from 'preact/hooks'
import { api } from '../api.ts'
import { hrefOf, navigate } from '../navigation.tsx'
import { currentEnvironment } from '../place.ts'
import { texts } from '../texts.ts'
import { Dialog } from './dialog.tsx'

interface Destination {
  readonly label: string
  readonly value: string
}

/** A search for a page or a flag, by keyboard. */
export function CommandPalette({ onClose }: { onClose: () => void }) {
  const [input, setInput] = useState('')
  const destinations = useDestinations(input)
  const collection = useMemo(() => combobox.collection({ items: destinations }), [destinations])
  const service = useMachine(combobox.machine, {
    id: useId(),
    collection,
    open: true,
    inputBehavior: 'autohighlight',
    selectionBehavior: 'clear',
    onInputValueChange: ({ inputValue }: { inputValue: string }) => setInput(inputValue),
    onValueChange: ({ value: [href] }: { value: string[] }) => {
      if (!href) return
      onClose()
      navigate(href)
    },
  })
  const view = combobox.connect(service, normalizeProps)
  const first = destinations[0]?.value
  useEffect(() => {
    // Flags arrive after the text was typed: Enter leads to the first one, as it does for pages.
    if (first) view.setHighlightValue(first)
  }, [destinations])
  // The type of the properties allows every role, that of an input element only those that its type can have.
  const inputProps: object = view.getInputProps()
  return (
    <Dialog title={texts.palette.title} onClose={onClose}>
      <div {...view.getRootProps()}>
        {/* biome-ignore lint/a11y/noLabelWithoutControl: the properties connect it with the input */}
        <label {...view.getLabelProps()}>{texts.palette.input}</label>
        <div {...view.getControlProps()}>
          <input {...inputProps} />
        </div>
        {destinations.length === 0 && <p class="quiet">{texts.palette.empty}</p>}
        <ul {...view.getContentProps()} class="options">
          {destinations.map((item) => (
            <li key={item.value} {...view.getItemProps({ item })}>
              {item.label}
            </li>
          ))}
        </ul>
      </div>
    </Dialog>
  )
}

/** Returns the pages and flags that a text matches. Flags are searched by the server. */
function useDestinations(input: string): readonly Destination[] {
  const place = currentEnvironment.value
  const [flags, setFlags] = useState<readonly Destination[]>([])
  useEffect(() => {
    if (!place) return undefined
    let current = true
    const timer = setTimeout(() => {
      const filter = input.trim() === '' ? {} : { filter: `query:${input.trim().replace(/[,:]/g, ' ')}` }
      api
        .listFlags({ projectKey: place.project, limit: 10, ...filter })
        .then(({ items }) => {
          const found = items.map(({ key, name }) => ({
            label: `${name} (${key})`,
            value: hrefOf('flag', { ...place, flag: key }),
          }))
          if (current) setFlags(found)
        })
        .catch(() => setFlags([]))
    }, 120)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [input, place?.project, place?.environment])
  return useMemo(() => {
    const names = ['flags', 'segments', 'contexts', 'approvals', 'changeLog', 'projects'] as const
    const pages = names
      .filter((name) => place || !['flags', 'segments', 'contexts'].includes(name))
      .map((name) => ({ label: texts.navigation[name], value: hrefOf(name, place) }))
      .filter(({ label }) => label.toLowerCase().includes(input.trim().toLowerCase()))
    return [...pages, ...flags]
  }, [input, flags, place?.project, place?.environment])
}
