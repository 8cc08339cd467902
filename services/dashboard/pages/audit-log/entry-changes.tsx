import { ExpandableSection } from '@patternfly/react-core';
import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table';
import { useState } from 'react';
import type { AuditLogEntry } from '../../api/internal-types.ts';
import { text } from '../../texts/texts.ts';
import { type ChangedField, changedFields } from './changed-fields.ts';

/** Old and new values of an entry, collapsed at first. Nothing for an entry without them. */
export function EntryChanges({ changes }: { changes: AuditLogEntry['changes'] }) {
  const [isOpen, setOpen] = useState(false);
  const fields = changedFields(changes);
  if (fields.length === 0) return null;
  return (
    <ExpandableSection
      toggleText={text('log.values', { count: fields.length })}
      isExpanded={isOpen}
      onToggle={(_event, next) => setOpen(next)}
    >
      {isOpen && <FieldTable fields={fields} />}
    </ExpandableSection>
  );
}

function FieldTable({ fields }: { fields: readonly ChangedField[] }) {
  return (
    <Table aria-label={text('log.changedValues')} variant="compact" borders={false}>
      <Thead>
        <Tr>
          <Th>{text('log.field')}</Th>
          <Th>{text('log.before')}</Th>
          <Th>{text('log.after')}</Th>
        </Tr>
      </Thead>
      <Tbody>
        {fields.map(({ path, title, before, after }) => (
          <Tr key={path}>
            <Td dataLabel={text('log.field')}>{title}</Td>
            <Td dataLabel={text('log.before')} modifier="breakWord">
              <span data-literal>{before ?? '–'}</span>
            </Td>
            <Td dataLabel={text('log.after')} modifier="breakWord">
              <span data-literal>{after ?? '–'}</span>
            </Td>
          </Tr>
        ))}
      </Tbody>
    </Table>
  );
}
