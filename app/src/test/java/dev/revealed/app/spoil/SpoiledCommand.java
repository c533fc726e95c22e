package dev.revealed.app.spoil;

import java.util.List;

/**
 * A command that reads files, some of which may be spoiled.
 *
 * @param kind of the files that are spoiled
 * @param inputs folders and files that it needs, under the folder of originals
 * @param spoiled a pattern of the names of those to spoil
 * @param words of the command; {in} is the folder of its inputs
 */
record SpoiledCommand(String kind, List<String> inputs, String spoiled, String words) {
    String verb() {
        String[] all = words.split(" ", -1);
        return all[0].equals("reproduce") ? all[0] + " " + all[1] : all[0];
    }

    /** Whether it goes on in a folder of its inputs. */
    boolean resumes() {
        return words.contains(" --resume");
    }
}
