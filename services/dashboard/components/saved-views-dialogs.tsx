import { Button, ClipboardCopy, Form, FormGroup, TextInput } from '@patternfly/react-core';
import { type FormEvent, useState } from 'react';
import { useHref } from 'react-router';
import { text } from '../texts/texts.ts';
import { FieldHint } from './form-parts.tsx';
import { Dialog } from './lazy-parts.tsx';
import { isViewName, longestViewName, type SavedView } from './saved-views.ts';

interface SaveProps {
  /** Saved views of the page. */
  views: readonly SavedView[];
  onSave: (name: string) => void;
  onClose: () => void;
}

/** Requests the name of a new view. */
export function SaveViewDialog({ views, onSave, onClose }: SaveProps) {
  const [name, setName] = useState('');
  const isTaken = views.some((view) => view.name === name.trim());
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (!isViewName(name, views)) return;
    onSave(name.trim());
    onClose();
  };
  return (
    <Dialog
      title={text('views.saveTitle')}
      description={text('views.saveHint')}
      onClose={onClose}
      buttons={
        <Button onClick={() => submit()} isDisabled={!isViewName(name, views)}>
          {text('views.saveNow')}
        </Button>
      }
    >
      <Form onSubmit={submit}>
        <FormGroup label={text('column.name')} fieldId="view-name" isRequired>
          <TextInput
            id="view-name"
            value={name}
            maxLength={longestViewName}
            validated={isTaken ? 'error' : 'default'}
            onChange={(_event, next) => setName(next)}
          />
          {isTaken && <FieldHint isError>{text('views.taken')}</FieldHint>}
        </FormGroup>
      </Form>
    </Dialog>
  );
}

interface ManageProps {
  views: readonly SavedView[];
  onChange: (views: readonly SavedView[]) => void;
  onClose: () => void;
}

/** Renames and deletes views, and shows a link to each. */
export function ManageViewsDialog({ views, onChange, onClose }: ManageProps) {
  return (
    <Dialog
      variant="medium"
      title={text('views.manageTitle')}
      description={text('views.manageHint')}
      leave={text('dialog.close')}
      onClose={onClose}
    >
      {views.length === 0 && <p>{text('views.none')}</p>}
      <ul className="vigil-stack" aria-label={text('views.title')}>
        {views.map((view) => (
          <ViewRow
            key={view.name}
            view={view}
            others={views.filter((other) => other !== view)}
            onRename={(name) => onChange(views.map((known) => (known === view ? { ...view, name } : known)))}
            onDelete={() => onChange(views.filter((known) => known !== view))}
          />
        ))}
      </ul>
    </Dialog>
  );
}

interface RowProps {
  view: SavedView;
  others: readonly SavedView[];
  onRename: (name: string) => void;
  onDelete: () => void;
}

function ViewRow({ view, others, onRename, onDelete }: RowProps) {
  const [name, setName] = useState(view.name);
  const link = `${window.location.origin}${useHref({ search: view.query })}`;
  const canRename = name.trim() !== view.name && isViewName(name, others);
  return (
    <li>
      <form
        className="vigil-row-line"
        onSubmit={(event) => {
          event.preventDefault();
          if (canRename) onRename(name.trim());
        }}
      >
        <TextInput
          className="vigil-filter"
          aria-label={text('views.nameOf', { name: view.name })}
          value={name}
          maxLength={longestViewName}
          onChange={(_event, next) => setName(next)}
        />
        <Button
          type="submit"
          variant="secondary"
          isDisabled={!canRename}
          aria-label={text('views.renameOne', { name: view.name })}
        >
          {text('views.rename')}
        </Button>
        <Button
          variant="secondary"
          isDanger
          onClick={onDelete}
          aria-label={text('views.deleteOne', { name: view.name })}
        >
          {text('do.delete')}
        </Button>
      </form>
      <ViewLink name={view.name} link={link} />
    </li>
  );
}

/** A link to copy. A browser without https allows no copying by a button. */
function ViewLink({ name, link }: { name: string; link: string }) {
  const label = text('views.linkOf', { name });
  if (!window.isSecureContext) return <TextInput readOnlyVariant="default" aria-label={label} value={link} />;
  return (
    <ClipboardCopy
      isReadOnly
      hoverTip={text('views.copy')}
      clickTip={text('views.copied')}
      textAriaLabel={label}
      copyAriaLabel={text('views.copy')}
    >
      {link}
    </ClipboardCopy>
  );
}
