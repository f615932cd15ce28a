import type { EstateItem } from '../domain/estate.ts'
import { type Section, sections } from './piece.ts'
import { facilityView, partnerView } from './view.ts'
import { yamlItem } from './write-yaml.ts'

/** Formats an estate file. Each call returns the next part of its text. Facilities must be added before partners. */
interface EstateWriter {
  add(item: EstateItem): string
  end(): string
}

interface Style {
  open(section: Section, isFirst: boolean): string
  empty(section: Section, isFirst: boolean): string
  item(view: object, isFirst: boolean): string
  close(isLast: boolean): string
}

export function estateWriter(format: 'yaml' | 'json'): EstateWriter {
  const style = format === 'yaml' ? yaml : json
  const counts: Record<Section, number> = { facilities: 0, partners: 0 }
  let at = 0
  /** Ends all sections before the given one, or all sections if none is given. Returns the text that ends them. */
  const moveTo = (section: Section | undefined): string => {
    let text = ''
    for (; sections[at] !== undefined && sections[at] !== section; at++) {
      const done = sections[at] as Section
      text += counts[done] === 0 ? style.empty(done, at === 0) : style.close(at === sections.length - 1)
    }
    return text
  }
  return {
    add: (item) => {
      const section = item.kind === 'facility' ? 'facilities' : 'partners'
      const view = item.kind === 'facility' ? facilityView(item.facility) : partnerView(item.partner)
      const before = moveTo(section)
      const isFirst = counts[section]++ === 0
      return before + (isFirst ? style.open(section, at === 0) : '') + style.item(view, isFirst)
    },
    end: () => moveTo(undefined) + (format === 'json' ? '}\n' : ''),
  }
}

const yaml: Style = {
  open: (section) => `${section}:\n`,
  empty: (section) => `${section}: []\n`,
  item: yamlItem,
  close: () => '',
}

const json: Style = {
  open: (section, isFirst) => `${isFirst ? '{' : ''}${JSON.stringify(section)}: [\n`,
  empty: (section, isFirst) => `${isFirst ? '{' : ''}${JSON.stringify(section)}: []${isFirst ? ',\n' : '\n'}`,
  item: (view, isFirst) => (isFirst ? '' : ',\n') + JSON.stringify(view),
  close: (isLast) => (isLast ? '\n]\n' : '\n],\n'),
}
