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
  const [moved, setMoved] = useState<string | null>(null)
  const destinations = useDestinations(input)
  const isShown = destinations.some(({ value }) => value === moved)
  const collection = useMemo(() => combobox.collection({ items: destinations }), [destinations])
  const service = useMachine(combobox.machine, {
    id: useId(),
    collection,
    open: true,
    selectionBehavior: 'clear',
    // Enter leads to the first destination until the arrow keys lead to another, also when flags arrive after the text.
    highlightedValue: isShown ? moved : (destinations[0]?.value ?? null),
    onHighlightChange: ({ highlightedValue }: { highlightedValue: string | null }) => setMoved(highlightedValue),
    onInputValueChange: ({ inputValue }: { inputValue: string }) => {
      setInput(inputValue)
      setMoved(null)
    },
    onValueChange: ({ value: [href] }: { value: string[] }) => {
      if (!href) return
      onClose()
      navigate(href)
    },
  })
  const view = combobox.connect(service, normalizeProps)
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
  const [found, setFound] = useState<{ readonly text: string; readonly flags: readonly Destination[] }>({
    text: '',
    flags: [],
  })
  useEffect(() => {
    if (!place) return undefined
    let current = true
    const text = input.trim()
    const timer = setTimeout(() => {
      const filter = text === '' ? {} : { filter: `query:${text.replace(/[,:]/g, ' ')}` }
      api
        .listFlags({ projectKey: place.project, limit: 10, ...filter })
        .then(({ items }) => {
          const flags = items.map(({ key, name }) => ({
            label: `${name} (${key})`,
            value: hrefOf('flag', { ...place, flag: key }),
          }))
          if (current) setFound({ text, flags })
        })
        .catch(() => {
          if (current) setFound({ text, flags: [] })
        })
    }, 120)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [input, place?.project, place?.environment])
  return useMemo(() => {
    const text = input.trim()
    const isMatch = ({ label }: Destination) => label.toLowerCase().includes(text.toLowerCase())
    const names = ['flags', 'segments', 'contexts', 'approvals', 'changeLog', 'projects'] as const
    const pages = names
      .filter((name) => place || !['flags', 'segments', 'contexts'].includes(name))
      .map((name) => ({ label: texts.navigation[name], value: hrefOf(name, place) }))
      .filter(isMatch)
    // Flags of the text before this one are shown only when they match, because Enter leads to the first destination.
    return [...pages, ...(found.text === text ? found.flags : found.flags.filter(isMatch))]
  }, [input, found, place?.project, place?.environment])
}
