package dev.revealed.studio;

import java.util.List;
import java.util.Map;

/** What the page needs of the command line, so that it has no second list of commands or settings. */
public interface Commands {
    /**
     * A command that the page can start.
     *
     * @param groups its options, under the headings of its help
     */
    record Form(String name, String about, List<Group> groups) {}

    record Group(String title, List<Field> fields) {}

    /**
     * An option.
     *
     * @param label what stands for the value in help, such as N or on|off
     * @param words those that can be chosen from, where there are only so many; one alone for a switch
     */
    record Field(String name, String label, String about, boolean required, List<String> words) {}

    /** The commands that can be started. */
    List<Form> forms();

    /**
     * Runs a command that is quick and writes nothing, in this program.
     *
     * @return what it prints with --json
     */
    String document(String command, Map<String, List<String>> options);

    /** Reads what a command is given, without the work; refuses what is wrong with it. */
    void check(List<String> command);

    /** A command as it would be typed; an option with an empty value is a switch. */
    List<String> words(String command, Map<String, String> options);

    /** The words that start a command in a program of its own. */
    List<String> launch(List<String> command);
}
