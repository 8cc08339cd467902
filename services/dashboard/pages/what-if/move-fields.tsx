import { Button, FormGroup } from '@patternfly/react-core';
import { useEffect, useState } from 'react';
import { InstanceLink, shortId } from '../../components/links.tsx';
import { PickerField } from '../../components/picker-field.tsx';
import type { WhatIfForm } from '../../components/what-if-path.ts';
import { richText } from '../../texts/rich-text.tsx';
import { text } from '../../texts/texts.ts';
import { MoveBoard } from './move-board.tsx';
import { isUuid, type MovedInstance, withMove } from './moved-instance.ts';

const hostField = 'what-if-to';

interface MoveFieldsProps {
  form: WhatIfForm;
  /** Computes the moves immediately. */
  onRequest: (form: WhatIfForm) => void;
}

/**
 * Manual migrations: the user drags an instance to a host or fills two fields. Each migration is checked immediately
 * and can be undone.
 */
export function MoveFields({ form, onRequest }: MoveFieldsProps) {
  const [instance, setInstance] = useState<MovedInstance | null>(null);
  const { moves } = form;
  const [isFromBoard, setFromBoard] = useState(false);
  useEffect(() => {
    if (isFromBoard && instance) document.getElementById(hostField)?.focus();
  }, [isFromBoard, instance]);
  const request = (next: WhatIfForm['moves']) => onRequest({ ...form, moves: next });
  const moveTo = (moved: MovedInstance, host: string) => request(withMove(moves, moved, host));
  return (
    <>
      {moves.length > 0 && (
        <FormGroup role="group" fieldId="what-if-moves" label={text('whatIf.movesByHand')}>
          <ol data-testid="what-if-moves">
            {moves.map((move) => (
              <li key={move.instance}>
                {richText('whatIf.moveTo', {
                  instance: isUuid(move.instance) ? (
                    <InstanceLink uuid={move.instance} name={null} />
                  ) : (
                    <span data-literal>{move.instance}</span>
                  ),
                  host: <span data-literal>{move.host}</span>,
                })}{' '}
                <Button
                  variant="link"
                  isInline
                  aria-label={text('whatIf.undoOne', {
                    instance: isUuid(move.instance) ? shortId(move.instance) : move.instance,
                    host: move.host,
                  })}
                  onClick={() => request(moves.filter((known) => known !== move))}
                >
                  {text('whatIf.undo')}
                </Button>
              </li>
            ))}
          </ol>
        </FormGroup>
      )}
      <PickerField
        id="what-if-instance"
        kind="instance"
        isSingle
        label={text('column.instance')}
        chosen={instance ? [instance.uuid] : []}
        onChange={([uuid], names) => {
          setFromBoard(false);
          setInstance(uuid === undefined ? null : { uuid, name: names[uuid] ?? null });
        }}
      />
      {instance && (
        <PickerField
          id={hostField}
          kind="host"
          isSingle
          label={text('whatIf.toHost')}
          hint={text('whatIf.toHostHint')}
          chosen={[]}
          onChange={([host]) => {
            if (host === undefined) return;
            setInstance(null);
            moveTo(instance, host);
          }}
        />
      )}
      <MoveBoard
        moves={moves}
        onMove={moveTo}
        onInstance={(chosen) => {
          setFromBoard(true);
          setInstance(chosen);
        }}
      />
    </>
  );
}
